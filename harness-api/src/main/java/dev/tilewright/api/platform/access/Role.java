package dev.tilewright.api.platform.access;

import java.util.Locale;

/** The permission of a token. Each of the first three roles includes the one before it. */
public enum Role {
    /** Reads jobs, results, best configs, predictions, events, meters and the OpenAPI document. */
    READER,
    /** Submits jobs too, and cancels those of its own name. */
    SUBMITTER,
    /** May do all that users may: cancel any job, keep tokens, read the details of health. */
    OPERATOR,
    /** Takes and reports work, and nothing that users do. */
    WORKER;

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
