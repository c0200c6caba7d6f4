package dev.tilewright.api.platform.http;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.SocketTimeoutException;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;

/** Refuses bodies that are larger than any honest one, announced or not, and says so where one came too slowly. */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE + 20)
final class BodyLimitFilter extends OncePerRequestFilter {

    private static final long USERS_BYTES = 1 << 20;
    private static final long WORKERS_BYTES = 32 << 20;

    private final ProblemWriter problems;
    private final HttpSettings settings;

    BodyLimitFilter(ProblemWriter problems, HttpSettings settings) {
        this.problems = problems;
        this.settings = settings;
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        long limit = limit(request.getMethod(), request.getServletPath());
        if (request.getContentLengthLong() > limit) {
            problems.write(
                    request,
                    response,
                    HttpProblem.of(ProblemType.TOO_LARGE, new BodyTooLargeException(limit).detail()));
            return;
        }
        chain.doFilter(new Limited(request, limit, settings), response);
    }

    private static long limit(String method, String path) {
        if (WorkerPaths.include(method, path)) {
            return WORKERS_BYTES;
        }
        return path.equals(ZipBody.PATH) ? ZipBody.MOST_BYTES : USERS_BYTES;
    }

    private static final class Limited extends HttpServletRequestWrapper {

        private final long limit;
        private final HttpSettings settings;

        Limited(HttpServletRequest request, long limit, HttpSettings settings) {
            super(request);
            this.limit = limit;
            this.settings = settings;
        }

        @Override
        public ServletInputStream getInputStream() throws IOException {
            return new Counted(super.getInputStream(), limit, settings, this);
        }
    }

    private static final class Counted extends ServletInputStream {

        private final ServletInputStream in;
        private final long limit;
        private final HttpSettings settings;
        private final ServletRequest request;
        private final long startNs = System.nanoTime();
        private long count;

        Counted(ServletInputStream in, long limit, HttpSettings settings, ServletRequest request) {
            this.in = in;
            this.limit = limit;
            this.settings = settings;
            this.request = request;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            int read = inTime(bytes, offset, length);
            count(Math.max(read, 0));
            return read;
        }

        private int inTime(byte[] bytes, int offset, int length) throws IOException {
            try {
                return in.read(bytes, offset, length);
            } catch (IOException ended) {
                // A late connection is ended below us, and looks as if the client had gone away. Tomcat answers that.
                if (System.nanoTime() - startNs
                                > settings.body().minus(settings.head()).toNanos()
                        || ended instanceof SocketTimeoutException
                        || ended.getCause() instanceof SocketTimeoutException) {
                    ProblemErrorController.answerWith(HttpProblem.of(ProblemType.TOO_SLOW, rule()), request);
                }
                throw ended;
            }
        }

        private String rule() {
            return "the request must arrive within " + settings.body().toSeconds() + " s, with no pause of "
                    + settings.pause().toSeconds() + " s";
        }

        private void count(int bytes) throws BodyTooLargeException {
            count += bytes;
            if (count > limit) {
                throw new BodyTooLargeException(limit);
            }
        }

        @Override
        public boolean isFinished() {
            return in.isFinished();
        }

        @Override
        public boolean isReady() {
            return in.isReady();
        }

        @Override
        public void setReadListener(ReadListener listener) {
            in.setReadListener(listener);
        }
    }
}
