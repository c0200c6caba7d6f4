package dev.tilewright.api.platform.access;

import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseCookie;

/**
 * The one cookie of our pages. Its value is a random id: of a session after a login, and before of a visit that nobody
 * stores. No script can read the cookie, and no other site can have it sent. Over TLS its name begins with
 * {@code __Host-}, so that neither a sibling domain nor a plain connection can set it. Over plain HTTP browsers refuse
 * such names, some of them on the loopback address too.
 */
final class SessionCookie {

    private static final String NAME = "tilewright-session";
    private static final String OF_TLS = "__Host-" + NAME;
    private static final String SET_NOW = SessionCookie.class.getName();

    private SessionCookie() {}

    /** The id that the browser shows, or that this request has set; empty for a browser that has none yet. */
    static Optional<String> id(HttpServletRequest request) {
        if (request.getAttribute(SET_NOW) instanceof String id) {
            return Optional.of(id);
        }
        Cookie[] cookies = request.getCookies();
        return cookies == null
                ? Optional.empty()
                : Arrays.stream(cookies)
                        .filter(cookie -> cookie.getName().equals(name(request)))
                        .map(Cookie::getValue)
                        .filter(value -> !value.isBlank())
                        .findFirst();
    }

    /**
     * Has the browser keep an id, in place of another one that this response has set.
     *
     * @param life how long; a negative one until the browser ends, zero to delete the cookie
     */
    static void set(String id, Duration life, HttpServletRequest request, HttpServletResponse response) {
        request.setAttribute(SET_NOW, id);
        response.setHeader(
                HttpHeaders.SET_COOKIE,
                ResponseCookie.from(name(request), id)
                        .httpOnly(true)
                        .sameSite("Strict")
                        .secure(request.isSecure())
                        .path("/")
                        .maxAge(life)
                        .build()
                        .toString());
    }

    private static String name(HttpServletRequest request) {
        return request.isSecure() ? OF_TLS : NAME;
    }
}
