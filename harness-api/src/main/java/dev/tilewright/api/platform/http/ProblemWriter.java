package dev.tilewright.api.platform.http;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Component;
import tools.jackson.databind.json.JsonMapper;

/** Writes problems where Spring MVC does not, in filters: a document for programs, a page for browsers. */
@Component
public final class ProblemWriter {

    /** Seconds after which a request that was not worked on may be sent again. */
    static final String RETRY_SECONDS = "1";

    private static final String HTML = new MediaType(MediaType.TEXT_HTML, StandardCharsets.UTF_8).toString();

    private final JsonMapper mapper;
    private final ProblemPage page;

    public ProblemWriter(JsonMapper mapper, ProblemPage page) {
        this.mapper = mapper;
        this.page = page;
    }

    /** Writes a whole answer to a request that may be sent again a second later. */
    public void writeAskAgain(HttpServletRequest request, HttpServletResponse response, HttpProblem problem)
            throws IOException {
        response.setHeader(HttpHeaders.RETRY_AFTER, RETRY_SECONDS);
        write(request, response, problem);
    }

    /** Writes a whole answer. */
    public void write(HttpServletRequest request, HttpServletResponse response, HttpProblem problem)
            throws IOException {
        boolean browser = PagePaths.isBrowser(request);
        byte[] body = browser
                ? page.render(request, response, problem).getBytes(StandardCharsets.UTF_8)
                : mapper.writeValueAsBytes(problem);
        response.setStatus(problem.status());
        response.setContentType(browser ? HTML : HttpProblem.MEDIA_TYPE);
        response.setContentLength(body.length);
        response.getOutputStream().write(body);
    }
}
