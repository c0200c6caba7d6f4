package dev.tilewright.api.platform.http;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

/** Shows a problem to somebody with a browser. */
@FunctionalInterface
public interface ProblemPage {

    /** The whole page as HTML. */
    String render(HttpServletRequest request, HttpServletResponse response, HttpProblem problem);
}
