package dev.tilewright.emulator.mutation;

/** What became of a mutant. */
sealed interface Outcome {
    /** A run ended with a hazard of that kind. */
    record Hazard(String kind, long seed, String message) implements Outcome {}

    /** A run completed with a wrong element, trace or counter. */
    record WrongResult(long seed, String message) implements Outcome {}

    /** All seeds completed with what the unmutated kernel gives. */
    record Survived() implements Outcome {}
}
