package dev.tilewright.worker.link.home;

import java.util.List;

/** The service can neither be reached nor started. */
public final class ServiceUnavailableException extends Exception {

    private static final long serialVersionUID = 1;

    private final transient List<String> details;

    /** @param details further lines, such as the last ones of its log */
    public ServiceUnavailableException(String reason, List<String> details) {
        super(reason);
        this.details = List.copyOf(details);
    }

    public List<String> details() {
        return details;
    }
}
