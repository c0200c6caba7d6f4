package dev.tilewright.api.web.worker;

import dev.tilewright.api.platform.ServiceSettings;
import dev.tilewright.api.web.Figures;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;

/** Who works here. */
@Controller
record WorkerPages(WorkerPageRepository workers, ServiceSettings settings, Clock clock) {

    private static final int MOST = 200;

    /** A device as the page shows it. */
    record Row(
            String host,
            String device,
            String kind,
            String model,
            String state,
            String leases,
            String seen,
            String measured,
            String clock,
            String power,
            String temperature) {}

    @GetMapping("/workers")
    String workers(Model model) {
        model.addAttribute("rows", rows());
        return "workers";
    }

    @GetMapping("/workers/list")
    String workersAlone(Model model) {
        model.addAttribute("rows", rows());
        return "workers :: list";
    }

    private List<Row> rows() {
        Instant since = clock.instant().minus(settings.leaseTtl());
        return workers.devices(MOST).stream().map(device -> row(device, since)).toList();
    }

    private static Row row(WorkerPageRepository.Device device, Instant since) {
        boolean alive = !device.seenAt().isBefore(since);
        return new Row(
                device.host() + ", process " + device.pid(),
                Objects.requireNonNullElse(device.device(), "no device"),
                Objects.requireNonNullElse(device.kind(), Figures.NONE),
                device.model() == null
                        ? Figures.NONE
                        : device.model() + ", " + device.driver() + ", " + device.assembler() + ", " + device.smCount()
                                + " SMs",
                !alive ? "gone" : device.leases() > 0 ? "working" : "idle",
                device.leases() + (device.leases() == 1 ? " lease" : " leases"),
                Figures.moment(device.seenAt()),
                Figures.moment(device.measuredAt()),
                Figures.megahertz(device.clockMhz()),
                Figures.watts(device.powerWatts()),
                Figures.celsius(device.celsius()));
    }
}
