package dev.tilewright.api.platform.http;

import dev.tilewright.api.platform.http.connection.GuardedProtocol;
import dev.tilewright.bundle.BundleSpace;
import org.apache.catalina.core.StandardHost;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/** Tomcat with our limits, and with its own errors in the shape of all others. */
@Configuration(proxyBeanMethods = false)
class TomcatConfiguration {

    /** Connections that wait to be accepted. Where there is no room, a client tries again after a second. */
    private static final int QUEUE = 1024;

    /** Of a body that is refused: who sends up to twice of what a bundle may have hears why. */
    private static final int MOST_SWALLOWED = 2 * BundleSpace.MOST_ZIP_BYTES;

    @Bean
    WebServerFactoryCustomizer<TomcatServletWebServerFactory> problemReports() {
        return factory -> factory.addContextCustomizers(context -> {
            if (context.getParent() instanceof StandardHost host) {
                host.setErrorReportValveClass(ProblemReportValve.class.getName());
            }
        });
    }

    @Bean
    WebServerFactoryCustomizer<TomcatServletWebServerFactory> proxy(HttpSettings settings) {
        return factory -> {
            if (settings.behindProxy()) {
                factory.addEngineValves(new ForwardedClient());
            }
        };
    }

    /** Last, so that no setting of Spring Boot stands above ours. */
    @Bean
    @Order(Ordered.LOWEST_PRECEDENCE)
    WebServerFactoryCustomizer<TomcatServletWebServerFactory> limits(HttpSettings settings) {
        return factory -> {
            factory.setProtocol(GuardedProtocol.class.getName());
            factory.addConnectorCustomizers(connector -> {
                if (connector.getProtocolHandler() instanceof GuardedProtocol protocol) {
                    protocol.setAcceptCount(QUEUE);
                    protocol.setMaxSwallowSize(MOST_SWALLOWED);
                    protocol.setMaxConnections(settings.mostConnections());
                    protocol.setConnectionTimeout((int) settings.pause().toMillis());
                    protocol.setKeepAliveTimeout((int) settings.idle().toMillis());
                    protocol.limits(settings.mostByAddress(), settings.head(), settings.body(), settings.idle());
                }
            });
        };
    }
}
