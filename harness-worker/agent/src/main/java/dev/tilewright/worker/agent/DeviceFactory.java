package dev.tilewright.worker.agent;

import dev.tilewright.model.exchange.DeviceSelector;
import dev.tilewright.worker.agent.device.Device;
import dev.tilewright.worker.agent.device.DeviceUnusableException;
import java.util.function.Supplier;

/** Opens the devices of a worker. */
@FunctionalInterface
public interface DeviceFactory {

    /**
     * Opens a device, and returns when it is ready.
     *
     * @param device one GPU or one model
     * @param assembler name and version of the assembler in use; asked for last, since it may still be on its way
     */
    Device open(DeviceSelector.OneDevice device, Supplier<String> assembler) throws DeviceUnusableException;
}
