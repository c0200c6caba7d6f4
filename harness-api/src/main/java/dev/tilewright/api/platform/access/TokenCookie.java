package dev.tilewright.api.platform.access;

import dev.tilewright.api.platform.http.PagePaths;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.Optional;
import org.springframework.http.ResponseCookie;

/**
 * The token of somebody who logged in, as the browser keeps it: no script sees it, and no other site can have it sent.
 * Pages alone take it, so that nothing but a header opens the API.
 */
public final class TokenCookie {

    private static final String NAME = "tilewright-token";
    private static final Duration LIFE = Duration.ofDays(30);

    private TokenCookie() {}

    /** The token that a request for a page shows. */
    static Optional<String> shown(HttpServletRequest request) {
        return PagePaths.include(request.getServletPath())
                ? value(request, NAME).flatMap(TokenCookie::decoded)
                : Optional.empty();
    }

    /** Keeps a token. */
    public static ResponseCookie keep(String token, HttpServletRequest request) {
        String text = Base64.getUrlEncoder().encodeToString(token.getBytes(StandardCharsets.UTF_8));
        return cookie(NAME, text, request).maxAge(LIFE).build();
    }

    /** Forgets it. */
    public static ResponseCookie forget(HttpServletRequest request) {
        return cookie(NAME, "", request).maxAge(0).build();
    }

    /** A token may have any characters, a cookie may not. */
    private static Optional<String> decoded(String text) {
        try {
            return Optional.of(new String(Base64.getUrlDecoder().decode(text), StandardCharsets.UTF_8));
        } catch (IllegalArgumentException notOurs) {
            return Optional.empty();
        }
    }

    static ResponseCookie.ResponseCookieBuilder cookie(String name, String value, HttpServletRequest request) {
        return ResponseCookie.from(name, value)
                .httpOnly(true)
                .sameSite("Strict")
                .secure(request.isSecure())
                .path("/");
    }

    static Optional<String> value(HttpServletRequest request, String name) {
        Cookie[] cookies = request.getCookies();
        return cookies == null
                ? Optional.empty()
                : Arrays.stream(cookies)
                        .filter(cookie -> cookie.getName().equals(name))
                        .map(Cookie::getValue)
                        .filter(value -> !value.isBlank())
                        .findFirst();
    }
}
