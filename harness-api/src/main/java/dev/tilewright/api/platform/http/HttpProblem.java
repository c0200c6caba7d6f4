package dev.tilewright.api.platform.http;

import java.net.URI;
import java.util.List;
import java.util.Objects;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.ProblemDetail;

/**
 * A problem document, as RFC 9457 has it.
 *
 * @param type names the kind; {@code about:blank} where the status says all
 * @param errors every single fault, empty if there is none to name
 */
public record HttpProblem(URI type, String title, int status, String detail, List<Fault> errors) {

    /** The media type of these documents. */
    public static final String MEDIA_TYPE = "application/problem+json";

    static ProblemDetail detail(ProblemType type, String detail, List<Fault> errors) {
        ProblemDetail problem = ProblemDetail.forStatusAndDetail(type.status(), detail);
        problem.setType(type.uri());
        problem.setTitle(type.title());
        problem.setProperty("errors", errors);
        return problem;
    }

    static ProblemDetail detail(HttpStatusCode status, String title, String detail) {
        ProblemDetail problem = ProblemDetail.forStatusAndDetail(status, detail);
        problem.setTitle(title);
        problem.setProperty("errors", List.of());
        return problem;
    }

    /** A document of Spring's that has got its faults. */
    static HttpProblem of(ProblemDetail detail) {
        Object errors =
                detail.getProperties() == null ? null : detail.getProperties().get("errors");
        List<Fault> faults = errors instanceof List<?> all
                ? all.stream()
                        .filter(Fault.class::isInstance)
                        .map(Fault.class::cast)
                        .toList()
                : List.of();
        return new HttpProblem(
                detail.getType() == null ? URI.create("about:blank") : detail.getType(),
                Objects.requireNonNullElse(detail.getTitle(), "The request failed"),
                detail.getStatus(),
                Objects.requireNonNullElse(detail.getDetail(), ""),
                faults);
    }

    public static HttpProblem of(ProblemType type, String detail, Fault... faults) {
        return new HttpProblem(type.uri(), type.title(), type.status().value(), detail, List.of(faults));
    }
}
