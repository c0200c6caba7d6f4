package dev.tilewright.api.platform.http;

import jakarta.servlet.ServletException;
import java.io.IOException;
import java.net.InetAddress;
import java.util.Collections;
import java.util.List;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ValveBase;

/**
 * Takes the word of the proxy before the service that the browser spoke TLS to it, and from which address. Of a list of
 * addresses the last one is the proxy's own: whoever sends a request writes the others. A host is not believed.
 */
final class ForwardedClient extends ValveBase {

    private static final String SCHEME = "X-Forwarded-Proto";
    private static final String ADDRESSES = "X-Forwarded-For";
    private static final String TLS = "https";

    ForwardedClient() {
        super(true);
    }

    @Override
    public void invoke(Request request, Response response) throws IOException, ServletException {
        if (TLS.equalsIgnoreCase(request.getHeader(SCHEME))) {
            request.setSecure(true);
            request.getCoyoteRequest().scheme().setString(TLS);
        }
        List<String> addresses = Collections.list(request.getHeaders(ADDRESSES));
        if (!addresses.isEmpty()) {
            String list = addresses.getLast();
            takeAddress(list.substring(list.lastIndexOf(',') + 1).strip(), request);
        }
        getNext().invoke(request, response);
    }

    private static void takeAddress(String text, Request request) {
        try {
            request.setRemoteAddr(InetAddress.ofLiteral(text).getHostAddress());
        } catch (IllegalArgumentException noAddress) {
            // Such as 'unknown': then the client is the proxy.
        }
    }
}
