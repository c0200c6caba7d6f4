package dev.tilewright.api.platform.http;

import java.net.URI;
import java.util.Locale;
import org.springframework.http.HttpStatus;

/** The kinds of problem a client can tell apart, each with its status and a stable URI. */
public enum ProblemType {
    MALFORMED_JSON(HttpStatus.BAD_REQUEST, "The body is not JSON"),
    MALFORMED_REQUEST(HttpStatus.BAD_REQUEST, "The request is malformed"),
    UNAUTHENTICATED(HttpStatus.UNAUTHORIZED, "A token is missing"),
    FORBIDDEN(HttpStatus.FORBIDDEN, "The token does not allow this"),
    CROSS_SITE(HttpStatus.FORBIDDEN, "Another site may not change anything"),
    NOT_FOUND(HttpStatus.NOT_FOUND, "There is no such thing"),
    NOT_ACCEPTABLE(HttpStatus.NOT_ACCEPTABLE, "The answer is JSON"),
    TOO_SLOW(HttpStatus.REQUEST_TIMEOUT, "The request did not arrive in time"),
    STALE_LEASE(HttpStatus.CONFLICT, "The lease was lost"),
    OTHER_PROTOCOL(HttpStatus.CONFLICT, "The worker speaks another protocol"),
    NAME_TAKEN(HttpStatus.CONFLICT, "The name is taken"),
    IN_USE(HttpStatus.CONFLICT, "It is in use"),
    NO_ROOM(HttpStatus.CONFLICT, "There is no room for it"),
    IN_FLIGHT(HttpStatus.CONFLICT, "The first request with this key is still in flight"),
    TOO_LARGE(HttpStatus.CONTENT_TOO_LARGE, "The body is too large"),
    NOT_JSON(HttpStatus.UNSUPPORTED_MEDIA_TYPE, "The body must be JSON"),
    MISDIRECTED(HttpStatus.MISDIRECTED_REQUEST, "The request is for another host"),
    INVALID(HttpStatus.UNPROCESSABLE_CONTENT, "The request is invalid"),
    EMPTY_SPACE(HttpStatus.UNPROCESSABLE_CONTENT, "No config keeps every rule"),
    KEY_REUSED(HttpStatus.UNPROCESSABLE_CONTENT, "The key was used with another payload"),
    UNAVAILABLE(HttpStatus.SERVICE_UNAVAILABLE, "The database does not answer"),
    TIMED_OUT(HttpStatus.SERVICE_UNAVAILABLE, "The database did not come to an end in time"),
    BUSY(HttpStatus.SERVICE_UNAVAILABLE, "Too many at once"),
    INTERNAL(HttpStatus.INTERNAL_SERVER_ERROR, "The service failed");

    private final HttpStatus status;
    private final String title;

    ProblemType(HttpStatus status, String title) {
        this.status = status;
        this.title = title;
    }

    public HttpStatus status() {
        return status;
    }

    public String title() {
        return title;
    }

    /** A stable URI; it names the type and leads nowhere. */
    public URI uri() {
        return URI.create(
                "urn:tilewright:problem:" + name().toLowerCase(Locale.ROOT).replace('_', '-'));
    }
}
