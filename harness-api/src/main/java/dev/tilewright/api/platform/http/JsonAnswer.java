package dev.tilewright.api.platform.http;

import jakarta.servlet.http.HttpServletRequest;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.http.InvalidMediaTypeException;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Component;

/** A request that does not accept JSON is refused before it changes anything. Pages are no JSON. */
@Component
@Order(5)
final class JsonAnswer implements RequestRule {

    @Override
    public Optional<HttpProblem> refusal(HttpServletRequest request) {
        String accepted = request.getHeader(HttpHeaders.ACCEPT);
        if (JsonBody.isRead(request) || PagePaths.include(request.getServletPath()) || takesJson(accepted)) {
            return Optional.empty();
        }
        Fault fault = new Fault(
                HttpHeaders.ACCEPT, "must include " + MediaType.APPLICATION_JSON_VALUE + ", got '" + accepted + "'");
        return Optional.of(HttpProblem.of(ProblemType.NOT_ACCEPTABLE, "Accept " + fault.detail(), fault));
    }

    private static boolean takesJson(@Nullable String accepted) {
        try {
            return accepted == null
                    || accepted.isBlank()
                    || MediaType.parseMediaTypes(accepted).stream()
                            .anyMatch(type -> type.includes(MediaType.APPLICATION_JSON));
        } catch (InvalidMediaTypeException unreadable) {
            return false;
        }
    }
}
