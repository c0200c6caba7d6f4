package dev.tilewright.api.platform.http;

import jakarta.servlet.http.HttpServletRequest;
import java.util.Optional;
import java.util.regex.Pattern;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Component;

/**
 * A body is JSON, or a zip where that is asked for, and says so, also where nobody reads it. Pages of other sites may
 * send forms, plain text and bodies without a type unasked; for JSON a browser asks first. Pages take forms of their
 * own, which they know by a token.
 */
@Component
@Order(4)
final class JsonBody implements RequestRule {

    /** As it is always written, for readers of media types forgive a lot. */
    private static final Pattern JSON =
            Pattern.compile("\\s*application/json\\s*(;\\s*charset=(utf-8|\"utf-8\")\\s*)?", Pattern.CASE_INSENSITIVE);

    @Override
    public Optional<HttpProblem> refusal(HttpServletRequest request) {
        String type = request.getContentType();
        boolean body = request.getContentLengthLong() > 0 || request.getHeader(HttpHeaders.TRANSFER_ENCODING) != null;
        boolean typed = type != null && !isRead(request);
        boolean zip = ZipBody.isAsked(request);
        if (FormBody.isAsked(request) && FormBody.is(type)) {
            return Optional.empty();
        }
        if (zip
                ? ZipBody.is(type)
                : !body && !typed || type != null && JSON.matcher(type).matches()) {
            return Optional.empty();
        }
        Fault fault = new Fault(
                HttpHeaders.CONTENT_TYPE,
                "must be " + (zip ? ZipBody.TYPE : MediaType.APPLICATION_JSON_VALUE) + ", got "
                        + (type == null ? "none" : "'" + type + "'"));
        return Optional.of(HttpProblem.of(ProblemType.NOT_JSON, "Content-Type " + fault.detail(), fault));
    }

    static boolean isRead(HttpServletRequest request) {
        return request.getMethod().equals("GET") || request.getMethod().equals("HEAD");
    }
}
