package dev.tilewright.api.platform.access;

import dev.tilewright.api.platform.SecretFile;
import dev.tilewright.api.platform.http.ApiProblem;
import dev.tilewright.api.platform.http.PagePaths;
import dev.tilewright.api.platform.http.ProblemType;
import dev.tilewright.api.platform.http.Reads;
import dev.tilewright.model.space.Sha256;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import org.springframework.http.HttpHeaders;
import org.springframework.stereotype.Component;
import org.springframework.web.servlet.HandlerInterceptor;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/**
 * Every form of our pages has a token that follows from a cookie of the browser: a page of another site can have the
 * browser send the cookie at the most, and never knows the token. No replica keeps anything of it.
 */
@Component
public final class FormToken implements HandlerInterceptor, WebMvcConfigurer {

    private static final String COOKIE = "tilewright-visit";
    private static final String DRAWN = FormToken.class.getName() + ".visit";

    @Override
    public void addInterceptors(InterceptorRegistry registry) {
        registry.addInterceptor(this);
    }

    @Override
    public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler) {
        if (!Reads.include(request.getMethod()) && PagePaths.include(request.getServletPath())) {
            byte[] due = TokenCookie.value(request, COOKIE)
                    .map(FormToken::of)
                    .orElse("")
                    .getBytes(StandardCharsets.UTF_8);
            String field = request.getParameter(PagePaths.FORM_TOKEN);
            byte[] got = (field == null ? "" : field).getBytes(StandardCharsets.UTF_8);
            if (due.length == 0 || !MessageDigest.isEqual(due, got)) {
                throw new ApiProblem(
                        ProblemType.CROSS_SITE,
                        "the form is not one that this browser got from here, or its cookies were deleted since: load the"
                                + " page again and send the form once more");
            }
        }
        return true;
    }

    /** The token for the forms of a page; a browser without a cookie is given one. */
    public static String forPage(HttpServletRequest request, HttpServletResponse response) {
        if (request.getAttribute(DRAWN) instanceof String drawn) {
            return of(drawn);
        }
        return TokenCookie.value(request, COOKIE).map(FormToken::of).orElseGet(() -> {
            String visit = SecretFile.draw();
            request.setAttribute(DRAWN, visit);
            response.addHeader(
                    HttpHeaders.SET_COOKIE,
                    TokenCookie.cookie(COOKIE, visit, request).build().toString());
            return of(visit);
        });
    }

    private static String of(String visit) {
        return Sha256.hex("form of " + visit);
    }
}
