package dev.tilewright.api.platform.http;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Asks for {@code Authorization: Bearer <token>}: of workers always, of users where the service was given a token for
 * them. Checks of kernel texts are read by both. 401 without a token, 403 with a wrong one.
 */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE + 10)
final class TokenFilter extends OncePerRequestFilter {

    private static final Pattern WORKERS = Pattern.compile("/api/v1/(workers|leases|heartbeats|reports)(/.*)?");
    private static final Pattern CHECKS = Pattern.compile("/api/v1/checks/.*");
    private static final Pattern BEARER = Pattern.compile("Bearer +(\\S+) *", Pattern.CASE_INSENSITIVE);

    private final Tokens tokens;
    private final ProblemWriter problems;

    TokenFilter(Tokens tokens, ProblemWriter problems) {
        this.tokens = tokens;
        this.problems = problems;
    }

    static boolean forWorkers(HttpServletRequest request) {
        return WORKERS.matcher(request.getServletPath()).matches();
    }

    static boolean isRead(HttpServletRequest request) {
        return request.getMethod().equals("GET") || request.getMethod().equals("HEAD");
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        if (forWorkers(request)) {
            ask(request, response, chain, tokens::isWorker, "worker.token of the service's home folder");
        } else if (tokens.usersNeedOne() && request.getServletPath().startsWith("/api/")) {
            boolean both = CHECKS.matcher(request.getServletPath()).matches();
            Predicate<String> right = both ? token -> tokens.isUser(token) || tokens.isWorker(token) : tokens::isUser;
            ask(request, response, chain, right, "TILEWRIGHT_USER_TOKEN of the service");
        } else {
            chain.doFilter(request, response);
        }
    }

    private void ask(
            HttpServletRequest request,
            HttpServletResponse response,
            FilterChain chain,
            Predicate<String> right,
            String source)
            throws ServletException, IOException {
        Optional<String> token = Optional.ofNullable(request.getHeader(HttpHeaders.AUTHORIZATION))
                .map(BEARER::matcher)
                .filter(java.util.regex.Matcher::matches)
                .map(matcher -> matcher.group(1));
        if (token.isEmpty()) {
            response.setHeader(HttpHeaders.WWW_AUTHENTICATE, "Bearer");
            problems.write(
                    response,
                    Problem.of(
                            ProblemType.UNAUTHENTICATED,
                            "send 'Authorization: Bearer <token>' with the token of " + source));
        } else if (!right.test(token.get())) {
            problems.write(response, Problem.of(ProblemType.FORBIDDEN, "this is not the token of " + source));
        } else {
            chain.doFilter(request, response);
        }
    }
}
