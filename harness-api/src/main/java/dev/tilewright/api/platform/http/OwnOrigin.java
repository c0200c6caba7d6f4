package dev.tilewright.api.platform.http;

import jakarta.servlet.http.HttpServletRequest;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.stereotype.Component;

/**
 * Pages of other sites may not change anything, not even where no token is asked for. Browsers say where a page came
 * from; programs say nothing and pass.
 */
@Component
@Order(2)
final class OwnOrigin implements RequestRule {

    private static final String SITE = "Sec-Fetch-Site";
    /** {@code none}: typed by the user. */
    private static final Set<String> OWN_SITES = Set.of("same-origin", "none");

    @Override
    public Optional<HttpProblem> refusal(HttpServletRequest request) {
        if (Reads.include(request.getMethod())) {
            return Optional.empty();
        }
        for (String site : values(request, SITE)) {
            if (!OWN_SITES.contains(site)) {
                return refused(SITE, "must be same-origin or none where something is changed, got '" + site + "'");
            }
        }
        for (String origin : values(request, HttpHeaders.ORIGIN)) {
            if (!isOurs(origin, request.getHeader(HttpHeaders.HOST))) {
                return refused(
                        HttpHeaders.ORIGIN, "must be this service where something is changed, got '" + origin + "'");
            }
        }
        return Optional.empty();
    }

    private static List<String> values(HttpServletRequest request, String header) {
        return Collections.list(request.getHeaders(header));
    }

    /** The scheme is not looked at: a proxy may have ended TLS. */
    private static boolean isOurs(String origin, @Nullable String host) {
        int authority = origin.indexOf("://") + "://".length();
        return authority >= "://".length() && origin.substring(authority).equalsIgnoreCase(host);
    }

    private static Optional<HttpProblem> refused(String header, String detail) {
        return Optional.of(HttpProblem.of(ProblemType.CROSS_SITE, header + " " + detail, new Fault(header, detail)));
    }
}
