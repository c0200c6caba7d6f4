package dev.tilewright.api.platform.http;

import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.http.HttpServletRequest;
import java.util.regex.Pattern;
import org.springframework.http.HttpHeaders;

/** The paths that people visit with a browser; all others are for programs. */
public final class PagePaths {

    private static final Pattern PROGRAMS = Pattern.compile("/(api|actuator|v3|error)([/.].*)?", Pattern.DOTALL);
    private static final Pattern ASSETS = Pattern.compile("/assets(/.*)?", Pattern.DOTALL);
    private static final Pattern OPEN = Pattern.compile("/(login|logout)");

    private static final Pattern FORMS = Pattern.compile(
            "/(login|logout|jobs|jobs/[^/]+/cancel|studies/[^/]+/again|gate-runs/[^/]+/cancel|check|check/[^/]+/cancel"
                    + "|gate-runs/[^/]+/cases/[^/]+/waive|gates/[^/]+/waivers/[^/]+/take-back|gates/[^/]+/schedule"
                    + "|gates/[^/]+/schedule/end)",
            Pattern.DOTALL);

    /** Name of the field that each form has, to show that it is of one of our pages. */
    public static final String FORM_TOKEN = "formToken";

    private PagePaths() {}

    /** Whether a form of ours is sent to it. */
    static boolean takeForms(String path) {
        return FORMS.matcher(path).matches();
    }

    /** Whether this is one of them. */
    public static boolean include(String path) {
        return !PROGRAMS.matcher(path).matches();
    }

    /** Whether nobody needs a token for it: the door, and what all pages look like. */
    public static boolean areOpen(String path) {
        return OPEN.matcher(path).matches() || ASSETS.matcher(path).matches();
    }

    /** Whether a browser asks, which is answered with a page whatever goes wrong. */
    static boolean isBrowser(HttpServletRequest request) {
        String accepted = request.getHeader(HttpHeaders.ACCEPT);
        // What the container answers is asked for at a path of its own.
        String path = request.getAttribute(RequestDispatcher.ERROR_REQUEST_URI) instanceof String failed
                ? failed
                : request.getServletPath();
        return include(path) && accepted != null && accepted.contains("text/html");
    }
}
