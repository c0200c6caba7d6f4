package dev.tilewright.api.web.study;

import dev.tilewright.api.web.Figures;
import dev.tilewright.model.exchange.StudyDocument;
import java.util.List;
import java.util.Objects;

/** Another kernel of the final than those of the study's family; the ratio is that of our best to it. */
public record PeerView(
        String name,
        String rate,
        String bandwidth,
        String roofline,
        String time,
        String interval,
        String ratio,
        String outcome) {

    /** The peers of a study. */
    static List<PeerView> of(StudyDocument study) {
        return study.peers().stream().map(peer -> of(study, peer)).toList();
    }

    private static PeerView of(StudyDocument study, StudyDocument.PeerDocument peer) {
        return peer.lastSustained()
                .map(time -> new PeerView(
                        peer.name(),
                        Figures.tflops(peer.tflops()),
                        Figures.bandwidth(study.problem().problem(), time.medianNs()),
                        Figures.roofline(study.testbed(), study.problem().problem(), time.medianNs()),
                        Figures.us(time.medianNs()),
                        Figures.interval(time.ciLowNs(), time.ciHighNs()),
                        Objects.requireNonNullElse(StudyView.ratio(peer.ratio(), peer.ratioCi()), Figures.NONE),
                        peer.outcome().toString()))
                .orElseGet(() -> new PeerView(
                        peer.name(),
                        Figures.NONE,
                        Figures.NONE,
                        Figures.NONE,
                        Figures.NONE,
                        "",
                        Figures.NONE,
                        peer.outcome().toString()));
    }
}
