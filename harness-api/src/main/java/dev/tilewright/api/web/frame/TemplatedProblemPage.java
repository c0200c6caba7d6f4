package dev.tilewright.api.web.frame;

import dev.tilewright.api.platform.access.FormToken;
import dev.tilewright.api.platform.access.Tokens;
import dev.tilewright.api.platform.http.HttpProblem;
import dev.tilewright.api.platform.http.ProblemPage;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.Locale;
import java.util.Map;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;
import org.thymeleaf.ITemplateEngine;
import org.thymeleaf.context.Context;

/** The page of a problem. Where a token is missing it is the one that asks for it. */
@Component
record TemplatedProblemPage(ITemplateEngine templates, Tokens tokens, FormToken forms) implements ProblemPage {

    @Override
    public String render(HttpServletRequest request, HttpServletResponse response, HttpProblem problem) {
        boolean door = problem.status() == HttpStatus.UNAUTHORIZED.value();
        return templates.process(
                door ? "login" : "problem",
                new Context(
                        Locale.ROOT,
                        Map.of(
                                "frame",
                                PageFrame.of(request, response, tokens, forms),
                                "problem",
                                problem,
                                "next",
                                // Where a form went, nothing is to be seen.
                                request.getMethod().equals("GET") ? request.getServletPath() : "/",
                                "fault",
                                "")));
    }
}
