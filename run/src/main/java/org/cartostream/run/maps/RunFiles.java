package org.cartostream.run.maps;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.cartostream.checkpoint.RunState;
import org.cartostream.gateway.sink.FileSink;
import org.cartostream.gateway.sink.LivePoses;
import org.cartostream.run.engine.LocalisedTrajectory;
import org.cartostream.run.report.RunReport;
import org.cartostream.slam.map.file.MapFiles;
import org.cartostream.slam.map.file.MapPicture;
import org.cartostream.slam.trajectory.CovarianceFile;
import org.cartostream.web.recording.RunRecorder;

/** The files of a run's output folder. */
public final class RunFiles {

  /** Description for people of each file, by the file's name. */
  public static final Map<String, String> ALL;

  static {
    Map<String, String> all = new LinkedHashMap<>();
    all.put(MapPicture.FILE, "the map to look at, with the robot's way");
    all.put(MapFiles.PICTURE, "the map for ROS's map_server: its cells");
    all.put(MapFiles.DESCRIPTION, "and where they lie");
    all.put(FileSink.TRAJECTORY, "the corrected poses (TUM format)");
    all.put(LivePoses.FILE, "the poses as they were on the way");
    all.put(CovarianceFile.NAME, "how sure each of these is");
    all.put(LocalisedTrajectory.QUALITY, "how far each of these can be believed");
    all.put(RunState.FILE, "the filter's state at the end, before loops were closed");
    all.put(RunRecorder.FILE, "the recording, for Foxglove and others that read MCAP");
    all.put(RunReport.FILE, "this report, and more");
    ALL = Collections.unmodifiableMap(all);
  }

  private RunFiles() {}
}
