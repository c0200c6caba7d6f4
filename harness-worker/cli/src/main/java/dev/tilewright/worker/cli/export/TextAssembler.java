package dev.tilewright.worker.cli.export;

/** Makes a cubin of a text on this machine. */
@FunctionalInterface
public interface TextAssembler {

    /** The result of assembling. */
    sealed interface Outcome {

        /** There is a cubin. */
        record Assembled(byte[] cubin) implements Outcome {}

        /** No assembler of this machine takes the text, which is no fault of it: the driver assembles it later. */
        record Unavailable(String reason) implements Outcome {}

        /** The text is wrong. */
        record Refused(String reason) implements Outcome {}
    }

    /** @param target such as {@code sm_90a} */
    Outcome assemble(String ptx, String target);
}
