package dev.tilewright.api.platform.http;

import jakarta.servlet.http.HttpServletRequest;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;

/** Path and query are what they seem to be: readable text, with no segments that lead elsewhere. */
@Component
@Order(3)
final class WellFormedTarget implements RequestRule {

    private static final Set<String> DOTS = Set.of(".", "..");

    @Override
    public Optional<HttpProblem> refusal(HttpServletRequest request) {
        String wrongPath = inPath(request.getRequestURI());
        if (wrongPath != null) {
            return Optional.of(HttpProblem.of(ProblemType.MALFORMED_REQUEST, "the path " + wrongPath));
        }
        String query = request.getQueryString();
        return query == null ? Optional.empty() : inQuery(query);
    }

    private static @Nullable String inPath(String path) {
        if (path.indexOf(';') >= 0) {
            return "must not have ';'";
        }
        String[] segments = path.split("/", -1);
        for (int i = 1; i < segments.length; i++) {
            String segment;
            try {
                segment = PercentEncoding.decode(segments[i]);
            } catch (IllegalArgumentException unreadable) {
                return unreadable.getMessage();
            }
            boolean last = i == segments.length - 1;
            if (DOTS.contains(segment) || segment.indexOf('/') >= 0 || segment.isEmpty() && !last) {
                return "must not have the segment '" + segment + "'";
            }
        }
        return null;
    }

    private static Optional<HttpProblem> inQuery(String query) {
        for (String pair : query.split("&")) {
            String[] sides = pair.split("=", 2);
            String name = sides[0];
            try {
                name = PercentEncoding.decode(name.replace('+', ' '));
                if (name.isEmpty() && sides.length == 2) {
                    return refused("", "a parameter must have a name");
                }
                if (sides.length == 2) {
                    PercentEncoding.decode(sides[1].replace('+', ' '));
                }
            } catch (IllegalArgumentException unreadable) {
                return refused(name, String.valueOf(unreadable.getMessage()));
            }
        }
        return Optional.empty();
    }

    private static Optional<HttpProblem> refused(String parameter, String detail) {
        String subject = parameter.isEmpty() ? "the query" : parameter;
        return Optional.of(
                HttpProblem.of(ProblemType.MALFORMED_REQUEST, subject + ": " + detail, new Fault(parameter, detail)));
    }
}
