package dev.tilewright.api.platform.http;

import dev.tilewright.api.platform.database.ConnectionPool;
import dev.tilewright.api.platform.database.Pools;
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

/**
 * Sends each request to its pool of connections, by its path. Where too many wait for a pool already, a request is
 * refused at once: it would wait for seconds, and those behind it longer, until nothing is answered in time. Requests
 * that come in the same moment are not seen by each other, so a burst may pass.
 */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE + 20)
final class BulkheadFilter extends OncePerRequestFilter {

    private static final Pattern CONTROL = Pattern.compile("(/actuator|/api/v1/(workers|leases|heartbeats))(/.*)?");
    private static final Pattern CANCEL = Pattern.compile("(/api/v1)?/[^/]+/[^/]+/cancel");
    private static final Pattern STUDIES = Pattern.compile("/api/v1/((reports|checks)(/.*)?|bundles/[^/]+/zip)");

    /** Threads that may wait for the connections of a pool: on two cores these are served in half a second. */
    private static final int MOST_WAITING = 256;

    /** A busy service must not look like a dead one, and the page that says so needs its style. */
    private static final Pattern ALWAYS = Pattern.compile("(/actuator|/assets)(/.*)?");

    private final Pools pools;
    private final ProblemWriter problems;

    BulkheadFilter(Pools pools, ProblemWriter problems) {
        this.pools = pools;
        this.problems = problems;
    }

    static ConnectionPool pool(String path) {
        if (CONTROL.matcher(path).matches()) {
            return ConnectionPool.CONTROL;
        }
        if (CANCEL.matcher(path).matches()) {
            return ConnectionPool.CANCEL;
        }
        return STUDIES.matcher(path).matches() ? ConnectionPool.STUDIES : ConnectionPool.QUERIES;
    }

    /** Whether a request to a path is refused while so many threads wait for its pool. */
    static boolean refuses(String path, int waiting) {
        return waiting >= MOST_WAITING && !ALWAYS.matcher(path).matches();
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        String path = request.getServletPath();
        ConnectionPool pool = pool(path);
        if (refuses(path, pools.use(pool).waiting())) {
            problems.writeAskAgain(
                    request,
                    response,
                    HttpProblem.of(
                            ProblemType.BUSY,
                            MOST_WAITING + " threads wait for the " + pool.size() + " connections for " + pool
                                    + " already; nothing was changed: ask again"));
            return;
        }
        try {
            pool.call(() -> {
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
