package dev.tilewright.api.testing;

import dev.tilewright.api.ApiApplication;
import dev.tilewright.api.lease.LeaseWatch;
import dev.tilewright.api.study.flow.StudyDriver;
import dev.tilewright.model.exchange.Lease;
import dev.tilewright.space.families.Families;
import dev.tilewright.space.family.FamilySpace;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.core.env.MapPropertySource;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.util.FileSystemUtils;

/** Gives tests one service with its own Postgres for all the tests of a JVM, empty before each. */
public final class RunningService implements ParameterResolver, BeforeEachCallback {

    private static final Duration STEP = Duration.ofSeconds(5);

    public static final String WORKER_TOKEN = "the-token-of-workers";

    private static final ExtensionContext.Namespace NAMESPACE = ExtensionContext.Namespace.create(RunningService.class);

    /** The service with what tests need of it. */
    public record Service(ConfigurableApplicationContext context, Api api, Path home) implements AutoCloseable {

        public <T> T bean(Class<T> type) {
            return context.getBean(type);
        }

        public <T> Collection<T> beans(Class<T> type) {
            return context.getBeansOfType(type).values();
        }

        public SettableClock clock() {
            return bean(SettableClock.class);
        }

        /** Time passes while the service listens, and takes back what is overdue. */
        public void silence(Duration length) {
            LeaseWatch watch = bean(LeaseWatch.class);
            watch.look();
            for (Duration left = length; left.isPositive(); left = left.minus(STEP)) {
                clock().advance(left.compareTo(STEP) < 0 ? left : STEP);
                watch.look();
            }
        }

        /** The same while a worker works on these leases and says so. */
        public void work(Duration length, ScriptedWorker worker, Lease... leases) {
            work(length, worker, List.of(leases));
        }

        /** The same. */
        public void work(Duration length, ScriptedWorker worker, List<Lease> leases) {
            LeaseWatch watch = bean(LeaseWatch.class);
            watch.look();
            for (Duration left = length; left.isPositive(); left = left.minus(STEP)) {
                clock().advance(left.compareTo(STEP) < 0 ? left : STEP);
                worker.heartbeat(leases.toArray(Lease[]::new));
                watch.look();
            }
        }

        public JdbcClient jdbc() {
            return bean(JdbcClient.class);
        }

        @Override
        public void close() {
            context.close();
            try {
                FileSystemUtils.deleteRecursively(home);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** Replaces what must be settable or small. */
    @Configuration(proxyBeanMethods = false)
    public static class Replacements {

        /** A process that is found under load keeps the time of the machine. */
        @Bean
        @Primary
        @ConditionalOnProperty(name = "tilewright.test.clock", havingValue = "settable", matchIfMissing = true)
        public SettableClock settableClock() {
            return new SettableClock();
        }

        /** Beside that of Prometheus. */
        @Bean
        public AskTimes askTimes() {
            return new AskTimes();
        }

        @Bean
        @Primary
        public Families testFamilies() {
            List<FamilySpace> all = new ArrayList<>(Families.standard().all());
            all.add(new ToyFamily());
            return new Families(all);
        }
    }

    @Override
    public void beforeEach(ExtensionContext test) {
        service(test).api().settle();
        empty(service(test).jdbc());
    }

    /** A few rows are deleted ten times as fast as their tables are made anew. */
    private static void empty(JdbcClient jdbc) {
        boolean few = jdbc.sql("select count(*) < 200 from (select from trial union all select from job limit 200)")
                .query(Boolean.class)
                .single();
        List<String> statements = few
                ? Stream.of(
                                "job",
                                "gate_run",
                                "gate_waiver",
                                "gate_schedule",
                                "idempotency_key",
                                "gpu_task",
                                "worker",
                                "testbed",
                                "kernel_check",
                                "kernel_file",
                                "bundle",
                                "browser_session",
                                "access_token")
                        .map(table -> "delete from " + table)
                        .toList()
                : List.of(
                        "truncate job, gate_run, gate_waiver, gate_schedule, idempotency_key, gpu_task, worker, testbed,"
                                + " kernel_check, kernel_file, bundle, browser_session, access_token cascade");
        jdbc.sql(String.join("; ", statements)).update();
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext test) {
        Class<?> type = parameter.getParameter().getType();
        return type == Service.class || type == Api.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext test) {
        return parameter.getParameter().getType() == Api.class ? service(test).api() : service(test);
    }

    private static Service service(ExtensionContext test) {
        // A test plan may be one of several of its JVM.
        return test.getStore(ExtensionContext.StoreScope.LAUNCHER_SESSION, NAMESPACE)
                .computeIfAbsent(Service.class, key -> start(Map.of("db-scheduler.enabled", "false")), Service.class);
    }

    /**
     * Starts one more service.
     *
     * @param more properties beside those that every test needs
     * @param replacements likewise
     */
    public static Service start(Map<String, Object> more, Class<?>... replacements) {
        try {
            Files.createDirectories(Path.of("target"));
            return start(Files.createTempDirectory(Path.of("target"), "home").toAbsolutePath(), more, replacements);
        } catch (IOException e) {
            throw new IllegalStateException("no service for the tests", e);
        }
    }

    /** Starts one more in a home, which goes with it. */
    public static Service start(Path home, Map<String, Object> more, Class<?>... replacements) {
        try {
            if (!more.containsKey("tilewright.database-url")) {
                PreparedHome.make(home);
            }
            Map<String, Object> properties = new java.util.HashMap<>(more);
            properties.put("tilewright.home", home.toString());
            properties.put("tilewright.worker-token", WORKER_TOKEN);
            properties.putIfAbsent("tilewright.bundle.cubins", "true");
            properties.put("server.port", "0");
            properties.put("server.address", "127.0.0.1");
            SpringApplication application = new SpringApplication(ApiApplication.class, Replacements.class);
            application.addPrimarySources(List.of(replacements));
            application.addInitializers(context ->
                    context.getEnvironment().getPropertySources().addFirst(new MapPropertySource("test", properties)));
            ConfigurableApplicationContext context = application.run();
            int port = ((WebServerApplicationContext) context).getWebServer().getPort();
            StudyDriver driver = context.getBean(StudyDriver.class);
            return new Service(context, new Api("http://127.0.0.1:" + port, driver::isQuiet), home);
        } catch (IOException e) {
            throw new IllegalStateException("no service for the tests", e);
        }
    }
}
