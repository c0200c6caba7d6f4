package dev.tilewright.model.exchange;

import java.util.Iterator;

/** Devices, for the completion of an option. */
public final class DeviceNames implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
        return DeviceSelector.NAMES.iterator();
    }
}
