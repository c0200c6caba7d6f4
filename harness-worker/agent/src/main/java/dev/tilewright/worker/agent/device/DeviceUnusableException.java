package dev.tilewright.worker.agent.device;

/** The device is out of order: no fault of any config. */
public final class DeviceUnusableException extends Exception {

    private static final long serialVersionUID = 1;

    public DeviceUnusableException(String reason) {
        super(reason);
    }
}
