package dev.tilewright.api.platform.access;

import dev.tilewright.api.platform.http.HttpProblem;
import dev.tilewright.api.platform.http.ProblemType;
import dev.tilewright.api.platform.http.ProblemWriter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.security.Principal;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.dao.DataAccessException;
import org.springframework.http.HttpHeaders;
import org.springframework.stereotype.Component;
import org.springframework.transaction.TransactionException;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Asks for {@code Authorization: Bearer <token>} wherever {@link AllowedRoles} does: of workers always, of users where
 * the service was started with a token for its operator. 401 without a token, 403 with one that is nobody's or whose
 * role is another. Pages take the {@link Sessions} of a browser as well.
 */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE + 10)
final class TokenFilter extends OncePerRequestFilter {

    private static final Logger LOG = LoggerFactory.getLogger(TokenFilter.class);
    private static final Pattern BEARER = Pattern.compile("Bearer +(\\S+) *", Pattern.CASE_INSENSITIVE);

    private final Tokens tokens;
    private final Sessions sessions;
    private final ProblemWriter problems;

    TokenFilter(Tokens tokens, Sessions sessions, ProblemWriter problems) {
        this.tokens = tokens;
        this.sessions = sessions;
        this.problems = problems;
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        AllowedRoles access = AllowedRoles.to(request.getMethod(), request.getServletPath());
        if (!access.isForWorkersAlone() && !tokens.usersNeedOne()) {
            chain.doFilter(new From(Caller.ANYBODY, request), response);
            return;
        }
        String header = request.getHeader(HttpHeaders.AUTHORIZATION);
        Optional<String> token = Optional.ofNullable(header)
                .map(BEARER::matcher)
                .filter(Matcher::matches)
                .map(shown -> shown.group(1));
        Optional<Caller> caller;
        try {
            caller = header == null && !access.isForEverybody()
                    ? sessions.caller(request)
                    : token.flatMap(tokens::caller);
        } catch (DataAccessException | TransactionException away) {
            if (!access.isForEverybody()) {
                LOG.warn("tokens: {}", away.getMessage());
                problems.writeAskAgain(
                        request,
                        response,
                        HttpProblem.of(ProblemType.UNAVAILABLE, "whose token this is cannot be looked up; ask again"));
                return;
            }
            caller = Optional.empty();
        }
        Optional<HttpProblem> refusal = access.isForEverybody()
                ? Optional.empty()
                : refusal(request, access, token.isPresent(), caller.orElse(null));
        if (refusal.isEmpty()) {
            chain.doFilter(new From(caller.orElse(null), request), response);
            return;
        }
        if (token.isEmpty() && caller.isEmpty()) {
            response.setHeader(HttpHeaders.WWW_AUTHENTICATE, "Bearer");
        }
        problems.write(request, response, refusal.get());
    }

    private static Optional<HttpProblem> refusal(
            HttpServletRequest request, AllowedRoles access, boolean shown, @Nullable Caller caller) {
        if (caller == null && !shown) {
            return Optional.of(HttpProblem.of(
                    ProblemType.UNAUTHENTICATED,
                    "send 'Authorization: Bearer <token>' with a token of the role " + access));
        }
        if (caller == null) {
            return Optional.of(HttpProblem.of(
                    ProblemType.FORBIDDEN,
                    "this token is not known here, or was revoked; needed is the role " + access));
        }
        if (!access.admits(caller.role())) {
            return Optional.of(HttpProblem.of(
                    ProblemType.FORBIDDEN,
                    "the token '" + caller.name() + "' has the role " + caller.role() + "; " + request.getMethod() + " "
                            + request.getServletPath() + " needs " + access));
        }
        return Optional.empty();
    }

    /** A request whose sender is known, to controllers and to actuator endpoints. */
    private static final class From extends HttpServletRequestWrapper {

        private final @Nullable Caller caller;

        From(@Nullable Caller caller, HttpServletRequest request) {
            super(request);
            this.caller = caller;
        }

        @Override
        public @Nullable Principal getUserPrincipal() {
            return caller;
        }

        @Override
        public @Nullable String getRemoteUser() {
            return caller == null ? null : caller.name();
        }

        @Override
        public boolean isUserInRole(String role) {
            return caller != null && caller.role().name().equals(role.toUpperCase(Locale.ROOT));
        }
    }
}
