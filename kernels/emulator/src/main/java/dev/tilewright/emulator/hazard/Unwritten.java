package dev.tilewright.emulator.hazard;

import java.util.function.Supplier;

/**
 * A read that found what nobody had written. It does no harm until something is made of it that others see.
 *
 * @param reader the instruction, for people
 * @param location that was read, for messages
 */
public record Unwritten(Supplier<String> reader, Supplier<String> location) {
    @Override
    public String toString() {
        return reader.get() + " reads " + location.get() + ", which nobody wrote";
    }
}
