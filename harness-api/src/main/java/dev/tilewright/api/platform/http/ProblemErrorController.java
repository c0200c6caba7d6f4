package dev.tilewright.api.platform.http;

import io.swagger.v3.oas.annotations.Hidden;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Objects;
import org.springframework.boot.webmvc.error.ErrorController;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Answers what failed outside Spring MVC, in a filter or in the container. */
@Hidden
@RestController
record ProblemErrorController(ProblemWriter problems) implements ErrorController {

    private static final String KNOWN = ProblemErrorController.class.getName() + ".problem";

    /** Writes the answer for a failure that the container finds. */
    static void answerWith(HttpProblem problem, ServletRequest request) {
        request.setAttribute(KNOWN, problem);
    }

    @RequestMapping("${server.error.path:${error.path:/error}}")
    void error(HttpServletRequest request, HttpServletResponse response) throws IOException {
        problems.write(
                request, response, request.getAttribute(KNOWN) instanceof HttpProblem known ? known : problem(request));
    }

    private static HttpProblem problem(HttpServletRequest request) {
        Object code = request.getAttribute(RequestDispatcher.ERROR_STATUS_CODE);
        // Nobody is sent to this path but by the container: a visitor finds nothing here.
        HttpStatus status = code instanceof Integer value
                ? Objects.requireNonNullElse(HttpStatus.resolve(value), HttpStatus.INTERNAL_SERVER_ERROR)
                : HttpStatus.NOT_FOUND;
        String detail = status.is5xxServerError() ? "see the log of the service" : status.getReasonPhrase();
        return new HttpProblem(URI.create("about:blank"), status.getReasonPhrase(), status.value(), detail, List.of());
    }
}
