package dev.tilewright.launch.document;

import java.util.List;

/** A document does not say what it should: a line for each fault, which begins with the position. */
public final class DocumentException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient List<String> faults;

    public DocumentException(String fault) {
        this(List.of(fault));
    }

    /** @param faults one or more */
    public DocumentException(List<String> faults) {
        super(String.join("\n", faults));
        this.faults = List.copyOf(faults);
    }

    public List<String> faults() {
        return faults;
    }

    /** The same faults of a document with this name. */
    public DocumentException in(String name) {
        DocumentException named = new DocumentException(
                faults.stream().map(fault -> name + ":" + fault).toList());
        named.initCause(this);
        return named;
    }
}
