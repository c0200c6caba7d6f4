package dev.tilewright.worker.link.client;

import dev.tilewright.worker.link.text.PlainText;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** An error of a request, as RFC 9457 words it. */
public record ProblemDetail(
        @Nullable String title,
        int status,
        @Nullable String detail,
        @Nullable List<Fault> errors) {

    /**
     * One thing that is wrong with a request.
     *
     * @param pointer JSON pointer into the body, or the name of a query parameter
     */
    public record Fault(@Nullable String pointer, @Nullable String detail) {

        @Override
        public String toString() {
            return pointer == null || pointer.isEmpty() ? String.valueOf(detail) : pointer + ": " + detail;
        }
    }

    /** One line for the whole, one for each fault that the first line does not say already. */
    public List<String> lines() {
        return said().map(PlainText::line).toList();
    }

    private Stream<String> said() {
        String head = detail != null ? detail : title != null ? title : "status " + status;
        Stream<String> faults = errors == null
                ? Stream.empty()
                : errors.stream()
                        .filter(fault -> fault.detail() == null || !head.contains(fault.detail()))
                        .map(Fault::toString);
        return Stream.concat(Stream.of(head), faults);
    }
}
