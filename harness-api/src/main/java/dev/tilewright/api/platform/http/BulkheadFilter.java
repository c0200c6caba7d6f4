package dev.tilewright.api.platform.http;

import dev.tilewright.api.platform.database.ConnectionPool;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.regex.Pattern;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;

/** Sends each request to its pool of connections, by its path. */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE + 20)
final class BulkheadFilter extends OncePerRequestFilter {

    private static final Pattern CONTROL = Pattern.compile("(/actuator|/api/v1/(workers|leases|heartbeats))(/.*)?");
    private static final Pattern CANCEL = Pattern.compile("(/api/v1)?/[^/]+/[^/]+/cancel");
    private static final Pattern STUDIES = Pattern.compile("/api/v1/((reports|checks)(/.*)?|bundles/[^/]+/zip)");

    static ConnectionPool pool(String path) {
        if (CONTROL.matcher(path).matches()) {
            return ConnectionPool.CONTROL;
        }
        if (CANCEL.matcher(path).matches()) {
            return ConnectionPool.CANCEL;
        }
        return STUDIES.matcher(path).matches() ? ConnectionPool.STUDIES : ConnectionPool.QUERIES;
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        try {
            pool(request.getServletPath()).call(() -> {
                chain.doFilter(request, response);
                return null;
            });
        } catch (ServletException | IOException | RuntimeException failed) {
            throw failed;
        } catch (Exception other) {
            throw new ServletException(other);
        }
    }
}
