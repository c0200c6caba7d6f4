package dev.tilewright.api.platform.database;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Arrays;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/**
 * Notifications of Postgres, heard on one connection for the whole service, so that nobody asks again and again whether
 * something has changed. While the connection is away notifications are lost: a new one ends all subscriptions, and
 * whoever waits looks for itself. {@link #LONGEST_SILENCE} is for a loss that nobody noticed.
 */
@Component
public final class Notifications implements SmartLifecycle {

    /** A wait ends after so long without a notification, and its owner looks for itself. */
    public static final Duration LONGEST_SILENCE = Duration.ofMinutes(1);

    private static final Logger LOG = LoggerFactory.getLogger(Notifications.class);
    /** The name of the session in {@code pg_stat_activity}. */
    private static final String SESSION = "tilewright notifications";

    private static final Duration AGAIN = Duration.ofMillis(500);
    private static final Duration READ = Duration.ofMillis(500);

    /** After so many reads without a notification the connection is tested: a lost peer sends nothing either. */
    private static final int READS_UNTIL_TEST = 40;

    private static final Duration TEST = Duration.ofSeconds(5);

    private final JdbcConnectionDetails database;
    private final Set<Subscription> subscriptions = ConcurrentHashMap.newKeySet();
    private volatile boolean running;

    Notifications(JdbcConnectionDetails database) {
        this.database = database;
    }

    /**
     * Subscribes to what comes from now on.
     *
     * @param payload which payloads of the channel count
     */
    public Subscription subscribe(Channel channel, Predicate<String> payload) {
        Subscription subscription = new Subscription(channel, payload);
        subscriptions.add(subscription);
        if (!running) {
            cancel(subscription);
        }
        return subscription;
    }

    /** Ends a subscription that nobody waits for any more. */
    public void cancel(Subscription subscription) {
        subscriptions.remove(subscription);
        subscription.end();
    }

    private void listen() {
        while (running) {
            try (Connection connection = connect()) {
                endAll();
                hear(connection);
            } catch (SQLException away) {
                LOG.debug("notifications are not heard: {}", away.getMessage());
            } catch (RuntimeException bug) {
                LOG.error("notifications are not heard", bug);
            }
            pause();
        }
    }

    private Connection connect() throws SQLException {
        Properties properties = SessionLimits.LISTENER.driver();
        properties.setProperty("ApplicationName", SESSION);
        properties.setProperty("user", database.getUsername());
        properties.setProperty("password", database.getPassword());
        Connection connection = DriverManager.getConnection(database.getJdbcUrl(), properties);
        try (Statement listen = connection.createStatement()) {
            listen.execute(Arrays.stream(Channel.values())
                    .map(each -> "listen " + each)
                    .collect(Collectors.joining("; ")));
            return connection;
        } catch (SQLException notListening) {
            connection.close();
            throw notListening;
        }
    }

    private void hear(Connection connection) throws SQLException {
        PGConnection postgres = connection.unwrap(PGConnection.class);
        for (int silent = 0; running; silent++) {
            PGNotification[] heard = postgres.getNotifications((int) READ.toMillis());
            if (heard != null && heard.length > 0) {
                silent = 0;
                Arrays.stream(heard).forEach(this::deliver);
            } else if (silent >= READS_UNTIL_TEST) {
                silent = 0;
                if (!connection.isValid((int) TEST.toSeconds())) {
                    throw new SQLException("Postgres does not answer");
                }
            }
        }
    }

    private void deliver(PGNotification heard) {
        Arrays.stream(Channel.values())
                .filter(channel -> channel.toString().equals(heard.getName()))
                .forEach(channel -> subscriptions.stream()
                        .filter(subscription -> subscription.isFor(channel, heard.getParameter()))
                        .forEach(this::cancel));
    }

    private void endAll() {
        subscriptions.forEach(this::cancel);
    }

    private static void pause() {
        try {
            Thread.sleep(AGAIN);
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void start() {
        running = true;
        Thread.ofPlatform().daemon().name("notifications").start(this::listen);
    }

    /** Ends all waits: before the web server waits for its requests. */
    @Override
    public void stop() {
        running = false;
        endAll();
    }

    @Override
    public boolean isRunning() {
        return running;
    }
}
