package dev.tilewright.api.web.frame;

import dev.tilewright.api.platform.http.PagePaths;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.CacheControl;
import org.springframework.http.HttpHeaders;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Tells browsers that pages have scripts, styles and data of this service alone and none in their text, are in no
 * frame, and are kept by nobody. Before all other filters, so that what these refuse is no exception.
 */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE)
final class PageHeadersFilter extends OncePerRequestFilter {

    private static final String POLICY =
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
                    + " connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        if (PagePaths.include(request.getServletPath())) {
            response.setHeader("Content-Security-Policy", POLICY);
            response.setHeader("X-Content-Type-Options", "nosniff");
            response.setHeader("X-Frame-Options", "DENY");
            // With none at all a form would be sent as if from nowhere, and be refused.
            response.setHeader("Referrer-Policy", "same-origin");
            response.setHeader(HttpHeaders.CACHE_CONTROL, CacheControl.noStore().getHeaderValue());
        }
        chain.doFilter(request, response);
    }
}
