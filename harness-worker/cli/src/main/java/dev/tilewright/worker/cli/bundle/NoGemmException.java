package dev.tilewright.worker.cli.bundle;

import java.io.Serial;

/** Recorded launches show no GEMM; the message says why, so that the user can fill the description. */
final class NoGemmException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1;

    NoGemmException(String message) {
        super(message);
    }
}
