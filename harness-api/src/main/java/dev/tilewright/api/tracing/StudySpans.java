package dev.tilewright.api.tracing;

import dev.tilewright.api.tracing.TraceRepository.Ask;
import dev.tilewright.api.tracing.TraceRepository.Final;
import dev.tilewright.api.tracing.TraceRepository.Job;
import dev.tilewright.api.tracing.TraceRepository.Study;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.sdk.trace.data.StatusData;
import java.util.ArrayList;
import java.util.List;

/** Spans of jobs, and of their studies with what the search was asked and the final. */
final class StudySpans {

    private StudySpans() {}

    static EndedSpan of(Job job) {
        return EndedSpan.root(
                job.id(),
                job.start(),
                job.end(),
                Attributes.builder()
                        .put("tilewright.job.id", job.id().toString())
                        .put("tilewright.job.name", job.name())
                        .put("tilewright.state", job.state())
                        .build(),
                StatusData.unset());
    }

    static EndedSpan of(Ask ask) {
        return new EndedSpan(
                "ask",
                EndedSpan.context(ask.job(), "ask " + ask.event(), ask.study()),
                EndedSpan.context(ask.job(), "study", ask.study()),
                ask.start(),
                ask.end(),
                Attributes.builder()
                        .put("tilewright.study.id", ask.study().toString())
                        .put("tilewright.ask.about", ask.about())
                        .put("tilewright.ask.configs", ask.configs())
                        .build(),
                StatusData.unset());
    }

    /** @param finals of some studies, perhaps of this one */
    static List<EndedSpan> of(Study study, List<Final> finals) {
        AttributesBuilder attributes = Attributes.builder()
                .put("tilewright.study.id", study.id().toString())
                .put("tilewright.problem", study.problem())
                .put("tilewright.family", study.family())
                .put("tilewright.state", study.state());
        if (study.device() != null && study.kind() != null) {
            attributes.put("tilewright.device", study.device()).put("tilewright.testbed.kind", study.kind());
        }
        EndedSpan whole = new EndedSpan(
                "study",
                EndedSpan.context(study.job(), "study", study.id()),
                EndedSpan.context(study.job(), "job", study.job()),
                study.start(),
                study.end(),
                attributes.build(),
                study.error() == null ? StatusData.unset() : StatusData.create(StatusCode.ERROR, study.error()));
        List<EndedSpan> spans = new ArrayList<>(List.of(whole));
        finals.stream().filter(last -> last.study().equals(study.id())).forEach(last -> {
            EndedSpan race = whole.child(
                    "final",
                    "final",
                    study.id(),
                    last.start(),
                    last.end(),
                    Attributes.builder()
                            .put("tilewright.contenders", last.contenders())
                            .build(),
                    StatusData.unset());
            spans.add(race);
            last.attempts().forEach(attempt -> spans.add(TrialSpans.lease(race, attempt, Attributes.empty())));
        });
        return spans;
    }
}
