package dev.tilewright.api.platform.http;

import java.io.IOException;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ErrorReportValve;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;

/**
 * Answers what Tomcat refuses before any servlet sees it, such as a target that is no URI. Loaded by Tomcat by its
 * name.
 */
public final class ProblemReportValve extends ErrorReportValve {

    @Override
    protected void report(Request request, Response response, @Nullable Throwable failure) {
        int status = response.getStatus();
        if (status < HttpStatus.BAD_REQUEST.value()
                || response.getContentWritten() > 0
                || !response.setErrorReported()) {
            return;
        }
        HttpStatus known = HttpStatus.resolve(status);
        String title = known == null ? "Error" : known.getReasonPhrase();
        response.setContentType(HttpProblem.MEDIA_TYPE);
        try {
            // Nothing of the request goes into this text, so it needs no escaping.
            response.getReporter()
                    .write("{\"type\":\"about:blank\",\"title\":\"" + title + "\",\"status\":" + status
                            + ",\"detail\":\"" + title + "\",\"errors\":[]}");
            response.finishResponse();
        } catch (IOException | IllegalStateException gone) {
            getContainer().getLogger().debug("the client went away", gone);
        }
    }
}
