package dev.tilewright.api.platform.http;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;

/** Answers a request that breaks a rule with the first that it breaks. */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE + 5)
final class RequestRuleFilter extends OncePerRequestFilter {

    private final List<RequestRule> rules;
    private final ProblemWriter problems;

    RequestRuleFilter(List<RequestRule> rules, ProblemWriter problems) {
        this.rules = rules;
        this.problems = problems;
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        Optional<HttpProblem> refusal =
                rules.stream().flatMap(rule -> rule.refusal(request).stream()).findFirst();
        if (refusal.isPresent()) {
            problems.write(request, response, refusal.get());
        } else {
            chain.doFilter(request, response);
        }
    }
}
