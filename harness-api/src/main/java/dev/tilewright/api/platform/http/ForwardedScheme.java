package dev.tilewright.api.platform.http;

import jakarta.servlet.ServletException;
import java.io.IOException;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ValveBase;

/**
 * Takes the word of the proxy before the service that the browser spoke TLS to it. Nothing else that proxies say is
 * believed: neither a host nor an address.
 */
final class ForwardedScheme extends ValveBase {

    private static final String HEADER = "X-Forwarded-Proto";
    private static final String TLS = "https";

    ForwardedScheme() {
        super(true);
    }

    @Override
    public void invoke(Request request, Response response) throws IOException, ServletException {
        if (TLS.equalsIgnoreCase(request.getHeader(HEADER))) {
            request.setSecure(true);
            request.getCoyoteRequest().scheme().setString(TLS);
        }
        getNext().invoke(request, response);
    }
}
