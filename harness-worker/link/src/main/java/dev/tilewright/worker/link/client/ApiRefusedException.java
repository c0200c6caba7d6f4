package dev.tilewright.worker.link.client;

import java.util.List;

/** The API understood and said no: a status of 400 to 499. */
public final class ApiRefusedException extends Exception {

    private static final long serialVersionUID = 1;

    private final int status;
    private final transient ProblemDetail problem;

    public ApiRefusedException(int status, ProblemDetail problem) {
        super(String.join("; ", problem.lines()));
        this.status = status;
        this.problem = problem;
    }

    public int status() {
        return status;
    }

    /** The problem detail of the API. */
    public ProblemDetail problem() {
        return problem;
    }

    /** The same, a line each. */
    public List<String> lines() {
        return problem.lines();
    }

    /** Whether the token is missing or wrong, which no repetition cures. */
    public boolean isUnauthorized() {
        return status == 401 || status == 403;
    }
}
