package dev.tilewright.api.platform.access;

import dev.tilewright.api.platform.SecretFile;
import dev.tilewright.api.platform.http.ApiProblem;
import dev.tilewright.api.platform.http.PagePaths;
import dev.tilewright.api.platform.http.ProblemType;
import dev.tilewright.api.platform.http.Reads;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;
import org.springframework.web.servlet.HandlerInterceptor;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/**
 * The token in every form of our pages: the browser's session or visit, signed with a key of the service. A page of
 * another site can have the browser send its cookie at the most, and never knows the token. Neither does a site that
 * sets a cookie of its own choice, because it does not know the key.
 */
@Component
public final class FormToken implements HandlerInterceptor, WebMvcConfigurer {

    private static final Duration UNTIL_THE_BROWSER_ENDS = Duration.ofSeconds(-1);

    private final KnownSessions kept;
    private volatile @Nullable String key;

    FormToken(KnownSessions kept) {
        this.kept = kept;
    }

    /** Reads the key once the schema is there, so that no page waits for a database that has gone since. */
    @EventListener(ApplicationReadyEvent.class)
    public void readKey() {
        key();
    }

    private String key() {
        String known = key;
        if (known == null) {
            known = kept.formKey(SecretFile.draw());
            key = known;
        }
        return known;
    }

    @Override
    public void addInterceptors(InterceptorRegistry registry) {
        registry.addInterceptor(this);
    }

    @Override
    public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler) {
        if (!Reads.include(request.getMethod()) && PagePaths.include(request.getServletPath())) {
            String field = request.getParameter(PagePaths.FORM_TOKEN);
            if (field == null
                    || SessionCookie.id(request)
                            .filter(id -> Signature.equal(of(id), field))
                            .isEmpty()) {
                throw new ApiProblem(
                        ProblemType.CROSS_SITE,
                        "the form is not one that this browser got from here, or its session has changed since: load"
                                + " the page again and send the form once more");
            }
        }
        return true;
    }

    /** The token for the forms of a page; a browser without a cookie is given one. */
    public String forPage(HttpServletRequest request, HttpServletResponse response) {
        return of(SessionCookie.id(request).orElseGet(() -> {
            String visit = SecretFile.draw();
            SessionCookie.set(visit, UNTIL_THE_BROWSER_ENDS, request, response);
            return visit;
        }));
    }

    private String of(String id) {
        return Signature.of(key(), "form of " + id);
    }
}
