package dev.tilewright.api.platform.http;

import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.stereotype.Component;
import tools.jackson.databind.json.JsonMapper;

/** Writes problem documents where Spring MVC does not: in filters. */
@Component
public final class ProblemWriter {

    private final JsonMapper mapper;

    public ProblemWriter(JsonMapper mapper) {
        this.mapper = mapper;
    }

    /** Writes a whole answer. */
    public void write(HttpServletResponse response, HttpProblem problem) throws IOException {
        byte[] body = mapper.writeValueAsBytes(problem);
        response.setStatus(problem.status());
        response.setContentType(HttpProblem.MEDIA_TYPE);
        response.setContentLength(body.length);
        response.getOutputStream().write(body);
    }
}
