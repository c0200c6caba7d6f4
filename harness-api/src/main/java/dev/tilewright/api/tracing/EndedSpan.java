package dev.tilewright.api.tracing;

import dev.tilewright.api.platform.Build;
import dev.tilewright.model.space.Sha256;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.sdk.common.InstrumentationScopeInfo;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.data.EventData;
import io.opentelemetry.sdk.trace.data.LinkData;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.data.StatusData;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/**
 * A span that is over, as the exporter takes it. Its ids follow from what it is of: whoever exports it again exports
 * the same span, and children need not have met their parents.
 *
 * @param context trace and id of it
 * @param parent the same of its parent; invalid for the root
 * @param end not before {@code start}
 */
record EndedSpan(
        String name,
        SpanContext context,
        SpanContext parent,
        Instant start,
        Instant end,
        Attributes attributes,
        StatusData status)
        implements SpanData {

    private static final Resource SERVICE = Resource.getDefault()
            .merge(Resource.builder()
                    .put("service.name", "tilewright")
                    .put("service.version", Build.commit())
                    .build());

    private static final String SCOPE = "dev.tilewright";

    /** One for all, by which the exporter keeps spans together and in their order. */
    private static final InstrumentationScopeInfo SCOPE_INFO = InstrumentationScopeInfo.create(SCOPE);

    private static final int SPAN_ID_DIGITS = 16;

    EndedSpan {
        // A clock that was set back makes no span of negative length.
        end = end.isBefore(start) ? start : end;
    }

    /** The root of a trace, whose id is that of the job. */
    static EndedSpan root(UUID job, Instant start, Instant end, Attributes attributes, StatusData status) {
        return new EndedSpan("job", context(job, "job", job), SpanContext.getInvalid(), start, end, attributes, status);
    }

    /**
     * The span of this id, which need not be there yet.
     *
     * @param part what it is of what {@code of} names, which has no other of this name
     */
    static SpanContext context(UUID job, String part, UUID of) {
        return context(job.toString().replace("-", ""), part, of);
    }

    private static SpanContext context(String trace, String part, UUID of) {
        return SpanContext.create(
                trace,
                Sha256.hex(part + " " + of).substring(0, SPAN_ID_DIGITS),
                TraceFlags.getSampled(),
                TraceState.getDefault());
    }

    /** A part of this one, and no longer than this. */
    EndedSpan child(
            String name, String part, UUID of, Instant from, Instant to, Attributes attributes, StatusData status) {
        return new EndedSpan(
                name, context(context.getTraceId(), part, of), context, within(from), within(to), attributes, status);
    }

    private Instant within(Instant time) {
        return time.isBefore(start) ? start : time.isAfter(end) ? end : time;
    }

    private static long nanos(Instant time) {
        return TimeUnit.SECONDS.toNanos(time.getEpochSecond()) + time.getNano();
    }

    @Override
    public String getName() {
        return name;
    }

    @Override
    public SpanKind getKind() {
        return SpanKind.INTERNAL;
    }

    @Override
    public SpanContext getSpanContext() {
        return context;
    }

    @Override
    public SpanContext getParentSpanContext() {
        return parent;
    }

    @Override
    public StatusData getStatus() {
        return status;
    }

    @Override
    public long getStartEpochNanos() {
        return nanos(start);
    }

    @Override
    public long getEndEpochNanos() {
        return nanos(end);
    }

    @Override
    public boolean hasEnded() {
        return true;
    }

    @Override
    public Attributes getAttributes() {
        return attributes;
    }

    @Override
    public int getTotalAttributeCount() {
        return attributes.size();
    }

    @Override
    public List<EventData> getEvents() {
        return List.of();
    }

    @Override
    public int getTotalRecordedEvents() {
        return 0;
    }

    @Override
    public List<LinkData> getLinks() {
        return List.of();
    }

    @Override
    public int getTotalRecordedLinks() {
        return 0;
    }

    @Override
    public InstrumentationScopeInfo getInstrumentationScopeInfo() {
        return SCOPE_INFO;
    }

    @Override
    @SuppressWarnings("deprecation")
    public io.opentelemetry.sdk.common.InstrumentationLibraryInfo getInstrumentationLibraryInfo() {
        return io.opentelemetry.sdk.common.InstrumentationLibraryInfo.create(SCOPE, null);
    }

    @Override
    public Resource getResource() {
        return SERVICE;
    }
}
