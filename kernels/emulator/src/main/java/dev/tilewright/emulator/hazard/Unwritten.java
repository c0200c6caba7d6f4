package dev.tilewright.emulator.hazard;

import java.util.function.Supplier;

/**
 * A read that found what nobody had written. It does no harm until something is made of it that others see.
 *
 * @param reader the instruction, for people
 * @param place what it read, for people
 */
public record Unwritten(Supplier<String> reader, Supplier<String> place) {
    @Override
    public String toString() {
        return reader.get() + " reads " + place.get() + ", which nobody wrote";
    }
}
