package dev.tilewright.api.platform.http;

import java.net.URI;
import java.util.List;
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

    public static HttpProblem of(ProblemType type, String detail, Fault... faults) {
        return new HttpProblem(type.uri(), type.title(), type.status().value(), detail, List.of(faults));
    }
}
