package dev.tilewright.api.platform.http;

import jakarta.servlet.http.HttpServletRequest;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.HashSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;
import org.springframework.http.HttpHeaders;
import org.springframework.stereotype.Component;

/**
 * The service is asked for under an address or a name of its own. A page of a stranger whose name was bound to our
 * address (DNS rebinding) asks for the stranger's name. The port is not looked at: tunnels and containers change it.
 */
@Component
@Order(1)
final class OwnHost implements RequestRule {

    private static final Logger LOG = LoggerFactory.getLogger(OwnHost.class);
    /** A literal of IPv6 in brackets or anything without a colon, then perhaps a port. */
    private static final Pattern HOST = Pattern.compile("(?:\\[([^]]*)]|([^:\\[\\]]+))(?::\\d*)?");

    private final boolean loopbackAlone;
    private final Set<String> names = new HashSet<>(Set.of("localhost"));

    @Autowired
    OwnHost(Environment environment, HttpSettings settings) throws UnknownHostException {
        this(environment.getProperty("server.address"), settings);
    }

    /** @param listening address or name to listen at; {@code null} for all addresses */
    OwnHost(@Nullable String listening, HttpSettings settings) throws UnknownHostException {
        loopbackAlone = listening != null && InetAddress.getByName(listening).isLoopbackAddress();
        if (listening != null) {
            names.add(listening.toLowerCase(Locale.ROOT));
        }
        settings.hosts().forEach(name -> names.add(name.strip().toLowerCase(Locale.ROOT)));
        if (!loopbackAlone) {
            addOwnName();
        }
    }

    private void addOwnName() {
        try {
            names.add(InetAddress.getLocalHost().getHostName().toLowerCase(Locale.ROOT));
        } catch (UnknownHostException nameless) {
            LOG.debug("the name of this machine cannot be read", nameless);
        }
    }

    @Override
    public Optional<HttpProblem> refusal(HttpServletRequest request) {
        String host = request.getHeader(HttpHeaders.HOST);
        // HTTP/1.0 has none, and no browser speaks it.
        if (host == null || isOurs(host)) {
            return Optional.empty();
        }
        Fault fault = new Fault(
                HttpHeaders.HOST,
                "must be an address of this service, localhost or a name in TILEWRIGHT_HOSTS of the service, got '"
                        + host + "'");
        return Optional.of(HttpProblem.of(ProblemType.MISDIRECTED, "Host " + fault.detail(), fault));
    }

    private boolean isOurs(String header) {
        Matcher matcher = HOST.matcher(header);
        if (!matcher.matches()) {
            return false;
        }
        String name = matcher.group(1) == null ? matcher.group(2) : matcher.group(1);
        return names.contains(name.toLowerCase(Locale.ROOT)) || isOurAddress(name);
    }

    /** Names alone can be bound to an address that is not theirs: any literal will do where others reach us anyway. */
    private boolean isOurAddress(String literal) {
        try {
            return InetAddress.ofLiteral(literal).isLoopbackAddress() || !loopbackAlone;
        } catch (IllegalArgumentException noLiteral) {
            return false;
        }
    }
}
