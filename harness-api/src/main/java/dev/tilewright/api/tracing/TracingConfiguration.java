package dev.tilewright.api.tracing;

import com.github.kagkarlsson.scheduler.task.helper.RecurringTask;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import com.github.kagkarlsson.scheduler.task.schedule.FixedDelay;
import dev.tilewright.api.platform.database.ConnectionPool;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.time.Clock;
import java.time.Duration;
import java.util.Objects;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** Looks for what has ended every few seconds, on one replica at a time. Without an endpoint there is nothing of it. */
@Configuration(proxyBeanMethods = false)
@Conditional(TracingConfiguration.WithEndpoint.class)
class TracingConfiguration {

    private static final Duration LOOK = Duration.ofSeconds(5);

    /** Two threads run all tasks: a collector that does not answer may hold one for so long. */
    private static final Duration LONGEST = Duration.ofSeconds(5);

    /** Whether there is an endpoint that is not empty. */
    static final class WithEndpoint implements Condition {

        @Override
        public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
            return !context.getEnvironment()
                    .getProperty(TracingSettings.ENDPOINT, "")
                    .isBlank();
        }
    }

    @Bean
    SpanExporter spanExporter(TracingSettings settings) {
        // What was refused is asked for again by the next look.
        return OtlpHttpSpanExporter.builder()
                .setEndpoint(Objects.requireNonNull(settings.endpoint()))
                .setTimeout(LONGEST)
                .setCompression("gzip")
                .setRetryPolicy(null)
                .build();
    }

    @Bean
    JobTraces jobTraces(TraceRepository rows, SpanExporter exporter, Clock clock) {
        return new JobTraces(rows, exporter, clock);
    }

    @Bean
    RecurringTask<Void> tracesTask(JobTraces traces) {
        return Tasks.recurring("traces", FixedDelay.of(LOOK))
                .execute((instance, context) -> ConnectionPool.STUDIES.run(traces::export));
    }
}
