package dev.tilewright.api.platform.process;

import dev.tilewright.api.platform.ServiceHome;
import dev.tilewright.api.platform.ServiceSettings;
import dev.tilewright.api.platform.access.LoginLink;
import dev.tilewright.api.platform.access.Tokens;
import dev.tilewright.model.exchange.ServiceFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Clock;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;
import tools.jackson.databind.json.JsonMapper;

/** {@code service.json}: written when the service is ready, removed when it stops, left behind when it is killed. */
@Component
record ServiceFileWriter(
        ServiceSettings settings, ListenAddress listen, Tokens tokens, LoginLink link, Clock clock, JsonMapper mapper) {

    private static final Logger LOG = LoggerFactory.getLogger(ServiceFileWriter.class);

    @EventListener
    @Order(Ordered.HIGHEST_PRECEDENCE)
    void ready(ApplicationReadyEvent event) throws IOException {
        if (!(event.getApplicationContext() instanceof WebServerApplicationContext web) || web.getWebServer() == null) {
            return;
        }
        Path certificate = listen.certificate();
        ServiceFile content = new ServiceFile(
                listen.url(web.getWebServer().getPort()),
                certificate == null ? null : certificate.toAbsolutePath().toString(),
                ProcessHandle.current().pid(),
                clock.instant(),
                settings.startedBy(),
                settings.drawsUserToken()
                        ? settings.files().userToken().toAbsolutePath().toString()
                        : null);
        Path file = settings.files().serviceFile();
        Path fresh = file.resolveSibling("service.json.new");
        Files.writeString(fresh, mapper.writeValueAsString(content) + "\n");
        Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        int port = web.getWebServer().getPort();
        firstSteps(listen, port, settings.files()).forEach(LOG::info);
        // Nobody reads the log of a service that a tune started, and others may read the file.
        if (settings.login() && settings.startedBy() == null) {
            LOG.info(
                    "log in with a browser, once and within {} minutes: {}/login?link={}",
                    LoginLink.LIFE.toMinutes(),
                    listen.forPeople(port),
                    link.draw());
        } else if (!tokens.usersNeedOne()) {
            String others = OtherUsers.here().names();
            if (!others.isEmpty()) {
                LOG.warn(
                        "every user of this machine is an operator of this service, and there are others ({}): start it"
                                + " with --login to ask for a token",
                        others);
            }
        }
    }

    /** Hints for the user who started the service, one a line. */
    static List<String> firstSteps(ListenAddress listen, int port, ServiceHome home) {
        String here = listen.forPeople(port);
        return List.of(
                "listening at " + listen.asAsked(port) + ", data under "
                        + home.root().toAbsolutePath(),
                "pages at " + here + "/, the API is described at " + here + "/v3/api-docs",
                "workers register with the token in " + home.workerToken().toAbsolutePath());
    }

    @EventListener
    void closing(ContextClosedEvent event) {
        try {
            Files.deleteIfExists(settings.files().serviceFile());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
