package dev.tilewright.worker.link.command;

/** Exit codes of every verb. */
public enum ExitCode {
    OK(0),
    /** Everything worked, but the answer is no: no trial completed, no best config is known, a kernel is wrong. */
    NEGATIVE(1),
    /** Wrong options, or input that the API refused. */
    USAGE(2),
    /** No verdict could be had, or none that means much. */
    INCONCLUSIVE(3),
    /** The driver is there but fails, or the service cannot be reached or started. */
    INFRASTRUCTURE(4);

    private final int code;

    ExitCode(int code) {
        this.code = code;
    }

    public int code() {
        return code;
    }
}
