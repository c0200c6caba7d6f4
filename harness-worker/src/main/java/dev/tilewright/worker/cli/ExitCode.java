package dev.tilewright.worker.cli;

/** Exit codes of every verb. */
public enum ExitCode {
    OK(0),
    /** Everything worked, but nothing came of it: no trial completed, no best config is known. */
    NOTHING_FOUND(1),
    /** Wrong options, or input that the API refused. */
    USAGE(2),
    /** No verdict could be had. */
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
